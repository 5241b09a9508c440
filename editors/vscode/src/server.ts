import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";

/** What the extension of Python offers of its environments, as far as it is needed here. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
  };
}

/** The command that starts tracetrap: a path of the settings, the chosen Python environment, or PATH, in this order. */
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
    const beside = await besideChosenPython(output);
    if (beside !== undefined) {
      return [beside];
    }
  }
  return ["tracetrap"];
}

async function besideChosenPython(output: vscode.LogOutputChannel): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (extension === undefined || !vscode.workspace.isTrusted) {
    return undefined;
  }
  try {
    const api = await extension.activate();
    const python = api.environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri).path;
    const name = process.platform === "win32" ? "tracetrap.exe" : "tracetrap";
    const candidate = path.join(path.dirname(python), name);
    return fs.existsSync(candidate) ? candidate : undefined;
  } catch (error) {
    output.warn(`the Python extension did not say which environment it uses: ${String(error)}`);
    return undefined;
  }
}
