import { type Command, InvalidArgumentError, Option } from "commander";

/** How a file of meter data is to be read. */
export interface MeterFileOptions {
  readonly meter: readonly string[];
  readonly timezone?: string;
  readonly intervalSeconds?: number;
  /** Name of a mapping that the account keeps, or of a layout that ships. */
  readonly mappingProfile?: string;
  readonly format?: "csv" | "nem12" | "green_button" | undefined;
}

/** How content is to be read. */
export interface ContentOptions extends Omit<MeterFileOptions, "format"> {
  readonly format?: "ndjson" | NonNullable<MeterFileOptions["format"]>;
}

export interface UploadOptions extends ContentOptions {
  readonly controllableLoad?: true;
  readonly saveProfile?: string;
  readonly replaceProfile?: true;
  readonly setAside?: string;
  readonly state?: string;
  readonly restart?: true;
  readonly spool?: string;
  readonly drain?: true;
  readonly watch?: string;
  readonly settled?: number;
}

export const withUploadOptions = (command: Command): Command =>
  command
    .addOption(
      new Option("--meter <[series=]meter-id>", "Meter of the file, or of one of its series. Repeatable.")
        .argParser(collected)
        .default([], "the meter that the file names, or the only one"),
    )
    .option("--timezone <zone>", "Zone of times without an offset: an IANA name, or +10:00.")
    .option("--interval-seconds <seconds>", "Length of the intervals of a CSV file that does not state it.", seconds)
    .option(
      "--mapping-profile <name>",
      'Mapping of the columns of a CSV file that the account keeps, or a layout that comes with Curtail; "none": they are guessed. Default: the profile with the header of the file.',
    )
    .option("--save-profile <name>", "Keep the mapping that the CSV file is read by, for the files of the account.")
    .option("--replace-profile", "With --save-profile: replace the profile of that name, if there is one.")
    .addOption(
      new Option("--format <format>", "Default: what the file begins like. json: one reading a line.")
        .choices(FORMATS)
        .argParser(format),
    )
    .option("--controllable-load", "The lines of NDJSON are readings of controllable load.")
    .option("--set-aside <file>", "Write refused readings to this file, as NDJSON with reasons.")
    .option("--state <file>", "File that keeps the progress of a file. Default: FILE.upload.json.")
    .option("--restart", "Upload the file from its beginning.")
    .option("--spool <folder>", "Folder that keeps what was read from standard input. Default: one for each account.")
    .option("--drain", "Upload what earlier runs read from standard input and could not upload, and read nothing.")
    .option(
      "--watch <folder>",
      "Stay, upload files as they come into this folder, and move each to its done or refused.",
    )
    .option(
      "--settled <seconds>",
      "With --watch: a file is whole when it has not changed for so long. Default: 30.",
      settled,
    );

const FORMATS = ["json", "ndjson", "csv", "nem12", "green_button"] as const;

const format = (text: string): ContentOptions["format"] => {
  const found = FORMATS.find((each) => each === text);
  if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${FORMATS.join(", ")}.`);
  return found === "json" ? "ndjson" : found;
};

const collected = (text: string, before: readonly string[]): readonly string[] => [...before, text];

const settled = (text: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new InvalidArgumentError("It must be a whole number of seconds from 1 to 9999.");
  return Number(text);
};

const seconds = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of seconds.");
  return Number(text);
};
