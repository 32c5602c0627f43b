/** The light bulb on a problem. */
import * as vscode from 'vscode';

export class BuildContextActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  constructor(private readonly enabled: () => boolean) {}

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    context: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (!this.enabled()) {
      return [];
    }
    const problems = context.diagnostics.filter((one) => one.severity <= vscode.DiagnosticSeverity.Warning);
    const actions = problems.map((diagnostic) => {
      const action = new vscode.CodeAction('Build context for this problem', vscode.CodeActionKind.QuickFix);
      action.diagnostics = [diagnostic];
      action.command = {
        command: 'repoContext.buildForDiagnostic',
        title: action.title,
        arguments: [document.uri, diagnostic],
      };
      return action;
    });
    if (problems.length > 0) {
      const action = new vscode.CodeAction('Build context for all problems in this file', vscode.CodeActionKind.QuickFix);
      action.diagnostics = [...problems];
      action.command = { command: 'repoContext.buildForFile', title: action.title, arguments: [document.uri] };
      actions.push(action);
    }
    return actions;
  }
}
