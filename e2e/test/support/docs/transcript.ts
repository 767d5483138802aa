/** A command of a transcript, and what it prints there. */
export interface Entered {
  readonly command: string;
  readonly printed: readonly string[];
}

/** Commands begin with `$ `; a backslash at the end continues one on the next line. */
export const commandsIn = (transcript: string): readonly Entered[] => {
  const entered: { command: string; printed: string[] }[] = [];
  let isContinued = false;
  for (const line of transcript.trimEnd().split("\n")) {
    const last = entered.at(-1);
    if (isContinued && last !== undefined) last.command += ` ${line.trim()}`;
    else if (line.startsWith("$ ")) entered.push({ command: line.slice(2), printed: [] });
    else last?.printed.push(line);
    isContinued = entered.at(-1)?.command.endsWith("\\") ?? false;
    const current = entered.at(-1);
    if (isContinued && current !== undefined) current.command = current.command.slice(0, -1).trim();
  }
  return entered;
};

/** The words of a command as a shell passes them, up to a comment or a redirection. */
export const wordsOf = (command: string): readonly string[] => {
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|((?:\\.|[^\s"'])+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
  const end = words.findIndex((word) => word === "#" || word === ">");
  return end === -1 ? words : words.slice(0, end);
};

/** Labels of the members in an output made for people: `name:  North`. */
export const labelsIn = (printed: readonly string[]): readonly string[] =>
  printed.flatMap((line) => /^([a-z_]+): /.exec(line)?.[1] ?? []);
