import * as vscode from "vscode";

/** The settings that the server knows; those that are null are left to the project's own files. */
const NAMES = [
  "enable",
  "configuration",
  "lint.select",
  "lint.extendSelect",
  "lint.ignore",
  "lint.perFileIgnores",
  "exclude",
  "strict",
  "transforms",
  "unsafeFixes",
  "runtime",
  "inputs",
  "fixAll",
  "codeAction.fixViolation.enable",
  "codeAction.disableRuleComment.enable",
  "inlayHints.enable",
  "semanticTokens.enable",
] as const;

export function readSettings(): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration("tracetrap");
  const settings: Record<string, unknown> = { trusted: vscode.workspace.isTrusted };
  for (const name of NAMES) {
    const value = section.get<unknown>(name);
    if (value !== null && value !== undefined) {
      settings[name] = value;
    }
  }
  return settings;
}
