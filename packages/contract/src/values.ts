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

/** Examples of identifiers, which the service makes. */
const ids = {
  account: "acc_6w2n8r4t1z9b",
  alarm: "alm_3h7k5v9c2m8x",
  block: "blk_9q4s6d2f8g1j",
  contact: "con_2b5n8m1k4h7g",
  delivery: "dlv_5d1f0a7c93e84b62a0f4c8d217b6e935",
  dispatch: "dis_4f9k2m7q1x8c",
  key: "key_8c3v6b9n2m5q",
  mail: "mail_0b9e47d25c1a4f83b6d7e2915af3c084",
  meter: "mtr_1t5y8u3i6o9p",
  program: "prg_7p2o5i8u1y4t",
  scenario: "scn_3r6e9w2q5a8s",
  session: "ses_6g1h4j7k2l5z",
  site: "site_9d4f7g2h5j8k",
  user: "usr_5x8c1v4b7n2m",
  ven: "ven_2q5w8e1r4t7y",
  webhook: "wh_8u3i6o1p4a7s",
} as const;

/** An opaque identifier of something. */
export const id = (of: keyof typeof ids, description: string) => Type.String({ description, examples: [ids[of]] });

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
