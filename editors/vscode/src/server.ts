import { execFile } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";

/** What the extension of Python offers of its environments, as far as it is needed here. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
  };
}

const NAME = process.platform === "win32" ? "tracetrap.exe" : "tracetrap";
const BESIDE_PYTHON = process.platform === "win32" ? "Scripts" : "bin";
const ENVIRONMENTS = [".venv", "venv"];

/**
 * The command that starts tracetrap: a path of the settings, the chosen Python environment, one that lies in the
 * workspace, or PATH, in this order.
 */
export async function findServer(output: vscode.LogOutputChannel): Promise<string[]> {
  const section = vscode.workspace.getConfiguration("tracetrap");
  const named = vscode.workspace.isTrusted ? section.get<string[]>("path", []) : [];
  const existing = named.find((candidate) => fs.existsSync(candidate));
  if (existing !== undefined) {
    return [existing];
  }
  const interpreter = vscode.workspace.isTrusted ? section.get<string[]>("interpreter", []) : [];
  if (interpreter.length > 0) {
    return [...interpreter, "-m", "tracetrap.linter"];
  }
  if (section.get<string>("importStrategy") !== "path") {
    const found = (await besideChosenPython(output)) ?? inWorkspace();
    if (found !== undefined) {
      return [found];
    }
  }
  return ["tracetrap"];
}

/** Why a command does not run, or undefined if it does; with nothing to read a server ends at once. */
export async function obstacle(command: string[]): Promise<string | undefined> {
  const running = promisify(execFile)(command[0], command.slice(1), { timeout: 60_000 });
  running.child.stdin?.end();
  try {
    await running;
    return undefined;
  } catch (error) {
    const known = error as NodeJS.ErrnoException & { stderr?: string };
    return known.code === "ENOENT" ? "there is no such program" : known.stderr?.trim() || String(error);
  }
}

function inWorkspace(): string | undefined {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders
    .flatMap((folder) => ENVIRONMENTS.map((name) => path.join(folder.uri.fsPath, name, BESIDE_PYTHON, NAME)))
    .find((candidate) => fs.existsSync(candidate));
}

async function besideChosenPython(output: vscode.LogOutputChannel): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (extension === undefined || !vscode.workspace.isTrusted) {
    return undefined;
  }
  try {
    const api = await extension.activate();
    const python = api.environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri).path;
    const candidate = path.join(path.dirname(python), NAME);
    return fs.existsSync(candidate) ? candidate : undefined;
  } catch (error) {
    output.warn(`the Python extension did not say which environment it uses: ${String(error)}`);
    return undefined;
  }
}
