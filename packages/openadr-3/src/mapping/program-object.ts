import type { ProgramRequest } from "../contract/program.js";
import type { ValuesMap } from "../contract/values-map.js";
import { DISPATCH_DESCRIPTORS } from "./event-of-dispatch.js";
import { REPORT_DESCRIPTORS } from "./report-request.js";

/** What the object of a program needs to know. */
export interface OwnProgram {
  /** Its unique name. */
  readonly name: string;
  /** Its name as people wrote it, which others may have, too. */
  readonly longName: string;
  readonly programType: string;
  /** none: everybody may see it. */
  readonly targets: readonly string[];
}

/** Who offers programs; null: not stated. */
export interface Retailer {
  readonly name: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** ISO 3166-2. */
  readonly subdivision: string | null;
}

const LONG_NAME_CHARACTERS = 128;

/**
 * The object of a program. Its events are not binding: a dispatch may move, end early or be cancelled after it was
 * sent. It is not local: nothing in it was adapted from another VTN.
 */
export const programObject = (
  { name, longName, programType, targets }: OwnProgram,
  retailer: Retailer,
): ProgramRequest => ({
  programName: name,
  attributes: [
    ...attribute("PROGRAM_LONG_NAME", shortened(longName)),
    ...attribute("RETAILER_NAME", retailer.name),
    ...attribute("PROGRAM_TYPE", programType),
    ...attribute("COUNTRY", retailer.country),
    ...attribute("PRINCIPAL_SUBDIVISION", retailer.subdivision),
    ...attribute("BINDING_EVENTS", false),
    ...attribute("LOCAL", false),
  ],
  payloadDescriptors: [...DISPATCH_DESCRIPTORS, ...REPORT_DESCRIPTORS],
  ...(targets.length === 0 ? {} : { targets: [...targets] }),
});

/** Cut at the limit, between characters. */
const shortened = (name: string): string | null =>
  name.slice(0, LONG_NAME_CHARACTERS).replace(/[\ud800-\udbff]$/, "") || null;

const attribute = (type: string, value: string | boolean | null): ValuesMap[] =>
  value === null ? [] : [{ type, values: [value] }];
