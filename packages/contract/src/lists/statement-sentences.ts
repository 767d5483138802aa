// What the lines of a statement are for, as the service writes them. No imports: browsers load this file, not the schemas.

interface Sentence {
  /** With the names of its values; several are separated by semicolons. */
  readonly text: string;
}

export const lineSentences = [
  { text: "waiting for the result" },
  { text: "delivered" },
  { text: "delivered, until the dispatch was cancelled" },
  { text: "delivered, without intervals below zero" },
  { text: "delivered, without intervals below zero, until the dispatch was cancelled" },
  { text: "delivered, at most the commitment in each interval" },
  { text: "delivered, at most the commitment in each interval, until the dispatch was cancelled" },
  { text: "{kwh} kWh delivered, of which at most {share} % of the commitment counts" },
  { text: "not paid here" },
  { text: "no readings" },
  { text: "no readings: nothing counts as delivered" },
  { text: "readings are missing, so it cannot be judged: nothing counts as delivered" },
  { text: "the operator decided that nothing counts as delivered: {reason}" },
  { text: "no baseline: {reason}" },
  { text: "no commitment is agreed" },
  { text: "{n} of {all} intervals are paid in {program}, which comes first" },
  { text: "intervals are paid in {program}, which comes first" },
  { text: "{n} intervals that {program} claims, too, are paid here" },
  { text: "intervals that {program} claims, too, are paid here" },
  { text: "not below {share} % of the commitment" },
  { text: "missing to {share} % of the commitment" },
  { text: "not judged: the dispatch was cancelled" },
  { text: "not judged here" },
  { text: "not judged: the operator decided so: {reason}" },
  { text: "penalties above the most of a month" },
  { text: "penalties above what the site earned in the month" },
  { text: "not enrolled at the end of the month" },
  { text: "not enrolled in the month" },
  { text: "commitment of the month" },
  { text: "commitment at the end of the month" },
  { text: "what is committed in {programs}, enrolled earlier, is paid there" },
  { text: "paid here first: {programs} has the same capacity" },
] as const satisfies readonly Sentence[];

/** What differs between two versions of a line. */
export const changeSentences = [
  { text: "result version {from} → {to}" },
  { text: "price {price} → {next}" },
  { text: "factor {price} → {next}" },
  { text: "{kwh} → {most} kWh" },
  { text: "{kwh} → {most} kW" },
  { text: "the terms of {program} changed" },
] as const satisfies readonly Sentence[];
