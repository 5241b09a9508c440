import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { findServer, obstacle } from "./server";
import { readSettings } from "./settings";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("Tracetrap", { log: true });
  const restart = (): Promise<void> => start(output);
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("tracetrap.restart", restart),
    vscode.commands.registerCommand("tracetrap.showLogs", () => output.show()),
    vscode.commands.registerCommand("tracetrap.executeAutofix", fixAll),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (["path", "interpreter", "importStrategy"].some((name) => event.affectsConfiguration(`tracetrap.${name}`))) {
        await restart();
      } else if (event.affectsConfiguration("tracetrap")) {
        await tellSettings();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(tellSettings),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(output: vscode.LogOutputChannel): Promise<void> {
  await client?.stop();
  client = undefined;
  const command = await findServer(output);
  const why = await obstacle([...command, "--version"]);
  if (why !== undefined) {
    complain(command, why, output);
    return;
  }
  const server: ServerOptions = { command: command[0], args: [...command.slice(1), "server"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "python" }],
    outputChannel: output,
    initializationOptions: { settings: readSettings() },
  };
  client = new LanguageClient("tracetrap", "Tracetrap", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    complain(command, (await obstacle([...command, "server"])) ?? String(error), output);
  }
}

function complain(command: string[], why: string, output: vscode.LogOutputChannel): void {
  output.error(`${command.join(" ")}: ${why}`);
  const settings = "Open Settings";
  void vscode.window
    .showErrorMessage(
      `Tracetrap's server does not start (${command.join(" ")}: ${why}). Run "pip install 'tracetrap[lsp]'" in your ` +
        "Python environment, or name the program in the setting tracetrap.path, then run \"Tracetrap: Restart Server\".",
      settings,
    )
    .then((answer) => {
      if (answer === settings) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "tracetrap.path");
      }
    });
}

async function tellSettings(): Promise<void> {
  await client?.sendNotification("workspace/didChangeConfiguration", { settings: { tracetrap: readSettings() } });
}

async function fixAll(): Promise<void> {
  await vscode.commands.executeCommand("editor.action.codeAction", { kind: "source.fixAll.tracetrap", apply: "first" });
}
