import Type from "typebox";

const NAME_CHARACTERS = 128;
const INT32 = 2_147_483_647;

const name = (description: string) => Type.String({ minLength: 1, maxLength: NAME_CHARACTERS, description });

export const ObjectId = Type.String({
  minLength: 1,
  maxLength: NAME_CHARACTERS,
  pattern: "^[a-zA-Z0-9_-]+$",
  description: "Identifier that the VTN gave an object.",
});

export const ClientId = name("Identifier of a client, as it gets tokens with.");
export const ClientName = name("Name that a client gives itself.");
export const ProgramName = name("Name of a program, unique within the VTN.");
export const VenName = name("Name of a ven, unique within the VTN.");
export const ResourceName = name(
  "Name of a resource, unique within its ven; AGGREGATED_REPORT in a report of several.",
);
export const PayloadType = name("What values mean: one of the enumerations, or a private string.");
export const Units = name("Unit of measure, such as KW or KWH.");
export const ReadingType = name("How a reading was obtained, such as DIRECT_READ.");

export const Targets = Type.Array(name("A target."), { description: "Groups that an object is meant for." });

/**
 * RFC 3339, or one of the forms without an offset that the User Guide writes for "now" (7.3): `0001-01-01` and
 * `0001-01-01T00:00:00`.
 */
export const DateTime = Type.String({
  pattern:
    "^(\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt ]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)|0001-01-01(T00:00:00)?)$",
  description: "A moment.",
});

/** As the specification writes it; `P9999Y` is endless. */
export const Duration = Type.String({
  maxLength: 64,
  pattern:
    "^(-?)P(?=\\d|T\\d)(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)([DW]))?(?:T(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+(?:\\.\\d+)?)S)?)?$",
  description: "An ISO 8601 duration.",
});

export const Uri = Type.String({
  minLength: 2,
  maxLength: 8000,
  pattern: "^[A-Za-z][A-Za-z0-9+.-]*:[^\\s\\u0000-\\u001f\\u007f]+$",
  description: "An absolute URI.",
});

export const int32 = (description: string, bounds: Type.TNumberOptions = {}) =>
  Type.Integer({ minimum: -INT32 - 1, maximum: INT32, ...bounds, description });

export const objectTypes = ["PROGRAM", "EVENT", "REPORT", "SUBSCRIPTION", "VEN", "RESOURCE"] as const;
export type ObjectType = (typeof objectTypes)[number];
export const ObjectTypes = Type.Enum([...objectTypes], { description: "Type of an object." });

export const operations = ["CREATE", "READ", "UPDATE", "DELETE"] as const;
export type Operation = (typeof operations)[number];
