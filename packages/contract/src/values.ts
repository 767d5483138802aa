import Type from "typebox";

/** A moment as RFC 3339 with an offset; answers are always UTC with `Z` (G8). */
export const Timestamp = Type.String({
  format: "date-time",
  description: "RFC 3339 with an offset, any precision; answered in UTC with Z.",
  examples: ["2026-07-01T18:00:00Z"],
});

/** Text a person reads: no control characters, no lone surrogates, which the database would refuse. */
export const text = (maxLength: number, description: string, minLength = 0) =>
  Type.String({ minLength, maxLength, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]*$", description });

/** An opaque identifier made by the service. */
export const id = (description: string) => Type.String({ description, examples: ["dis_4f9k2m7q1x8c"] });

export const nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** IANA zone name; whether the zone exists is checked by the service. */
export const Timezone = text(64, "IANA time zone name, for example America/Chicago.", 1);

/** Power a site commits to shed. */
export const Commitment = nullable(
  Type.Number({
    minimum: 0,
    maximum: 10_000_000,
    description: "Curtailment commitment in kW; null where none is agreed.",
  }),
);

export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@<>"\\u0000-\\u001f\\ud800-\\udfff]+@[^\\s@<>"\\u0000-\\u001f\\ud800-\\udfff]+$',
});
