/** Prints one line for the user. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);
