import Type, { type Static } from "typebox";
import { MAX_METER_DATA_BYTES, PROFILE_NAME_CHARACTERS } from "../constants.js";
import { endpoint } from "../endpoint.js";
import { INTERVAL_STEP_SECONDS } from "../v2022-04-15/limits.js";
import { NO_PROFILE } from "../v2022-04-15/mapping-profile.js";
import { boolean, byId, id, integer, meterName, moment, nullable, number, string, text } from "../values.js";
import { MAX_MAPPING_CHARACTERS, MeterDataMapping, StatedMeterDataMapping } from "./meter-data-mapping.js";

export const meterDataFormats = ["green_button", "nem12", "csv"] as const;
export const MAX_METER_DATA_FAULTS = 100;
/** The longest interval of a file. */
export const MAX_METER_DATA_SECONDS = 3600;
/** Series of a file, and choices of meters for them. */
export const MAX_METER_DATA_SERIES = 500;
/** In place of a meter: the series is left out. */
export const NO_METER = "none";

/** A file, as its text or as a browser has it. */
const File = Type.Unsafe<string | Blob>({
  type: "string",
  description: "The file: Green Button (ESPI XML), NEM12 or CSV, in UTF-8.",
  examples: ["timestamp,kwh\n2026-06-01T00:15:00Z,12.5\n2026-06-01T00:30:00Z,12.75\n"],
});

const format = Type.Enum([...meterDataFormats], { description: "Format of the file." });

const MeterDataSeries = Type.Object(
  {
    name: string(
      "Name of the series in the file: NMI and suffix, usage point and meter reading, or the column or meter of a CSV file.",
      "NMI1234567:E1",
    ),
    description: nullable(string("What else the file says about it; null if nothing.", "meter SERNO1234")),
    unit: string("Unit of its values in the file.", "kWh"),
    meter_id: nullable(id("meter"), "Meter that it is imported to; null if none was found or it is left out."),
    meter_name: nullable(meterName, "Name of that meter."),
    start_time: nullable(moment("Start of the first interval with a value.", "start")),
    end_time: nullable(moment("End of the last one.", "end")),
    interval_seconds: nullable(
      integer("Length of its intervals in seconds; null if they have several lengths.", 900),
      "Length of its intervals in seconds; null if they have several lengths.",
    ),
    intervals: integer("Number of intervals with a value.", 8),
    missing_intervals: integer("Number of intervals without a value between the first and the last.", 0),
    estimated_intervals: integer("How many of the values were estimated or substituted.", 0),
    energy_kwh: number("Net energy of the intervals in kWh; negative for export.", 780),
  },
  { $id: "MeterDataSeries", description: "One stream of readings in the file." },
);
export type MeterDataSeries = Static<typeof MeterDataSeries>;

const line = integer("Line of the file, from 1.", 3);

const MeterDataDoubt = Type.Object(
  {
    line,
    member: string("Member of the mapping that answers it; `[]` stands for each column of values.", "time.format"),
    column: Type.Optional(integer("The column of values that it is about, from 1, if not all of them.", 3)),
    question: string("What the file leaves open.", '"06/07/2026": is the day or the month first?'),
    choices: Type.Array(
      Type.Object({
        value: Type.Union([string("A value.", "day_first"), number("A value.", 900)], {
          description: "Value of the member.",
        }),
        meaning: string("What it means.", "the day is first"),
      }),
      { description: "Possible answers; empty if there are too many, as for time zones." },
    ),
  },
  { $id: "MeterDataDoubt", description: "A question that the file leaves open." },
);

const UsedProfile = Type.Object(
  {
    id: nullable(id("mapping_profile"), "Identifier of the profile; null: a layout that comes with the service."),
    name: string("Name of the profile.", "Utility portal, quarters"),
    chosen_by: Type.Enum(["header", "name"], {
      description: "`header`: the file has its header. `name`: the request states it.",
    }),
    others: Type.Array(string("Name of a profile.", "Utility portal"), {
      description: "Other profiles of the account with the header of the file, which were saved before.",
    }),
  },
  { $id: "UsedMappingProfile", description: "The mapping profile that a file was read by." },
);

export const MeterDataResult = Type.Object(
  {
    dry_run: boolean("Whether it was a dry run, which stores nothing.", true),
    format,
    series: Type.Array(MeterDataSeries, { description: "The streams of load and export in the file." }),
    left_out: Type.Array(
      Type.Object({
        name: string("Name of the series in the file.", "NMI1234567:Q1"),
        line,
        reason: string("Why it is not imported.", 'suffix "Q1" is neither energy from the grid (E) nor into it (B)'),
      }),
      { description: "Series that are neither load nor export, such as reactive energy." },
    ),
    notes: Type.Array(
      Type.Object({
        line,
        message: string(
          "What was assumed where the file leaves it open.",
          "Main: clocks show the times of this hour twice; the lines run backwards, so the later hour comes first",
        ),
      }),
      {
        description: `What was assumed where the file leaves it open, such as the hour that clocks show twice; the first ${MAX_METER_DATA_FAULTS}, by line.`,
      },
    ),
    intervals: integer("Number of intervals that are stored, or would be.", 8),
    unmatched_intervals: integer(
      "Number of intervals left out because several series go to one meter and not all of them have the interval.",
      0,
    ),
    fault_count: integer("Number of errors; 0 if the file can be imported.", 0),
    faults: Type.Array(
      Type.Object({
        line,
        message: string("What is wrong, and how to correct it.", "the day has 47 values; it has 48"),
      }),
      { description: `The first ${MAX_METER_DATA_FAULTS} errors, by line.` },
    ),
    mapping: Type.Optional(
      nullable(
        MeterDataMapping,
        "How the columns of a CSV file were read; null for other formats, or if the file has no table of times and values.",
      ),
    ),
    profile_mapping: Type.Optional(
      nullable(
        StatedMeterDataMapping,
        "What a profile keeps of `mapping`: what the request or a profile states, and what the file shows. Defaults are left out, so that the next file may show otherwise. null without a mapping.",
      ),
    ),
    reasons: Type.Optional(
      Type.Array(string("What the file shows.", "line 1 is the header"), {
        description: "Why the mapping was chosen, as far as it was guessed.",
      }),
    ),
    doubts: Type.Optional(
      Type.Array(MeterDataDoubt, {
        description: "Questions that the file leaves open. Each is an error until `mapping` answers it.",
      }),
    ),
    header: Type.Optional(
      nullable(
        string("Digest of the names of the columns.", "3f8a1c0b9d5e7f24a6b8c0d1e2f30415"),
        "Digest of the names of the columns: files of one layout have the same. null without a mapping.",
      ),
    ),
    mapping_profile: Type.Optional(
      nullable(
        UsedProfile,
        "The mapping profile that the file was read by; null: none. Members of `mapping` in the request go before its own.",
      ),
    ),
    saved_profile: Type.Optional(
      nullable(
        string("Name of the profile.", "Utility portal, quarters"),
        "Name of the profile that the import saved the mapping as; null: none.",
      ),
    ),
    first_lines: Type.Optional(
      Type.Array(Type.Array(string("A field, of at most 100 characters.", "2026-06-01T00:15:00Z")), {
        description: "In a dry run, the first 20 lines of a CSV file, split into fields.",
      }),
    ),
  },
  { $id: "MeterDataResult", description: "What an import of meter data did, or would do." },
);
export type MeterDataResult = Static<typeof MeterDataResult>;

const query = Type.Object({
  dry_run: Type.Optional(
    boolean("`true`: store nothing; return what the import would do, and its errors. Default: `false`.", true),
  ),
  format: Type.Optional(
    Type.Enum([...meterDataFormats], { description: "Format of the file. Default: what the file begins like." }),
  ),
  meter_id: Type.Optional(
    id("meter", "Meter for every series without an own choice. Several series of one meter are added up."),
  ),
  series: Type.Optional(
    Type.Array(
      string(
        `Meter of one series, as \`name=meter_id\`; \`name=${NO_METER}\` leaves the series out.`,
        "NMI1234567:E1=mtr_1t5y8u3i6o9p",
      ),
      {
        description: `Meter of one series, as \`name=meter_id\`; \`name=${NO_METER}\` leaves the series out. May be repeated. Without a choice, a series goes to the site's meter of the same name or id.`,
        maxItems: MAX_METER_DATA_SERIES,
      },
    ),
  ),
  timezone: Type.Optional(
    text(
      64,
      "For times without an offset: an IANA time zone name, or an offset such as `+08:00`. CSV with such times needs it; NEM12 takes an offset, by default `+10:00`, the market's time.",
      "+10:00",
      1,
    ),
  ),
  interval_seconds: Type.Optional(
    integer(
      "Length of the intervals of a CSV file without a column for it, in seconds. Default: the commonest distance of its times.",
      900,
      { minimum: INTERVAL_STEP_SECONDS, maximum: MAX_METER_DATA_SECONDS, multipleOf: INTERVAL_STEP_SECONDS },
    ),
  ),
  mapping: Type.Optional(
    text(
      MAX_MAPPING_CHARACTERS,
      "How the columns of a CSV file are read, as JSON: any members of `MeterDataMapping`. The others are guessed, and returned with the reasons. An element of `values` without a `column` is about every column of values.",
      '{"time":{"format":"day_first"}}',
    ),
  ),
  mapping_profile: Type.Optional(
    text(
      PROFILE_NAME_CHARACTERS,
      `Name of a mapping profile of the account, or of a layout that comes with the service; \`${NO_PROFILE}\`: the columns are guessed. Default: without \`mapping\`, the profile that was saved last of those with the header of the file. Members of \`mapping\` go before those of the profile.`,
      "Utility portal, quarters",
      1,
    ),
  ),
  save_profile: Type.Optional(
    text(
      PROFILE_NAME_CHARACTERS,
      "Saves the mapping that a CSV file was read by, as in `profile_mapping`, as a profile of the account, in the same transaction. A dry run saves nothing.",
      "Utility portal, quarters",
      1,
    ),
  ),
  replace_profile: Type.Optional(
    boolean("`true`: `save_profile` replaces the profile of that name, if there is one; without it, that is a 400."),
  ),
  estimated: Type.Optional(
    Type.Enum(["import", "leave_out"], {
      description: "Whether values that were estimated or substituted are imported. Default: `import`.",
    }),
  ),
});

export const importMeterData = endpoint({
  id: "importMeterData",
  method: "PUT",
  path: "/sites/{id}/meter-data",
  tag: "Sites",
  summary: "Import meter data from a file",
  description: `Stores the intervals of a Green Button, NEM12 or CSV file as readings of the site's meters. Load is positive, export negative. An interval longer than 300 seconds is stored at its mean power in each 30 seconds, so that its energy is exact. A value of the file replaces what is stored for its interval; where the file has none, what is stored stays. Importing the same file again changes nothing. Results of dispatches in the period are corrected as for late readings.\n\nIf the file has an error, nothing is stored: a dry run returns 200 with the errors, an import 400 with the first. A file has at most ${MAX_METER_DATA_BYTES / 1024 / 1024} MB; a larger one gets 400. An account imports one file at a time; a second one waits for 10 seconds, then gets 429.`,
  params: byId("site"),
  query,
  body: File,
  takes: ["application/octet-stream", "application/xml", "text/csv", "text/plain"],
  reply: MeterDataResult,
});
