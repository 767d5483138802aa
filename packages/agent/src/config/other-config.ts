import type { ConfigValue } from "./config-value.js";

export interface HttpSource {
  readonly url: string;
  /** null: the body is the number. */
  readonly path: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface CsvSource {
  readonly file: string;
  /** Name of the column with the value. */
  readonly column: string;
  /** Name of the column with the time (RFC 3339); null: a line counts when it is read. */
  readonly time: string | null;
  readonly delimiter: string;
}

export interface CommandTarget {
  readonly file: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
}

export const readHttpSource = (value: ConfigValue): HttpSource => {
  const at = value.members(["url", "path", "headers", "timeout"]);
  const url = at.url.text("an address such as http://192.0.2.10/status");
  if (url !== "" && !/^https?:\/\/[^/]/.test(url)) at.url.fault("must begin with http:// or https://");
  else checkAddress(at.url, url);
  return {
    url,
    path: at.path.or(null, (path) => path.text("a path such as emeters[0].power")),
    headers: Object.fromEntries(at.headers.pairs().map(([name, header]) => [name, headerText(header)])),
    timeoutMs: at.timeout.or(3_000, (timeout) => timeout.duration({ min: 1_000, max: 60_000 })),
  };
};

/** Notes a fault of what cannot be an address: later its errors would quote it with its password. */
export const checkAddress = (value: ConfigValue, url: string): void => {
  if (url !== "" && !isAddress(url))
    value.fault("is not an address; write /, ?, #, @ and % of a user or password as %2F, %3F, %23, %40 and %25");
};

/** Whether user and password of an address can be read, too. */
const isAddress = (url: string): boolean => {
  try {
    const { username, password } = new URL(url);
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
};

/** A header that cannot be sent would be quoted by the error. */
const headerText = (value: ConfigValue): string => {
  const text = value.text().trim();
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) value.fault("must be one line of Latin characters");
  return text;
};

export const readCsvSource = (value: ConfigValue): CsvSource => {
  const at = value.members(["file", "column", "time", "delimiter"]);
  const delimiter = at.delimiter.or(",", (given) => given.text("one character"));
  if (delimiter.length > 1) at.delimiter.fault("must be one character");
  return {
    file: at.file.absolutePath("the path of a file"),
    column: at.column.text("the name of the column with the value"),
    time: at.time.or(null, (time) => time.text("the name of the column with the time")),
    delimiter,
  };
};

export const readCommand = (value: ConfigValue): CommandTarget => {
  const at = value.members(["file", "args", "timeout"]);
  return {
    file: at.file.absolutePath("the path of a program"),
    args: at.args.items().map((arg) => arg.text()),
    timeoutMs: at.timeout.or(10_000, (timeout) => timeout.duration({ min: 1_000, max: 60_000 })),
  };
};
