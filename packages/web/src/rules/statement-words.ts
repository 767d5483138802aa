import { english, say } from "@curtail/words/page";
import { decimal } from "../format/quantity.js";
import { sentencesOf } from "./service-sentences.js";

/** What a line of a statement is for, as the service has stored it; several are separated by semicolons. */
const ofLines = [
  english("waiting for the result"),
  english("delivered"),
  english("delivered, until the dispatch was cancelled"),
  english("delivered, without intervals below zero"),
  english("delivered, without intervals below zero, until the dispatch was cancelled"),
  english("delivered, at most the commitment in each interval"),
  english("delivered, at most the commitment in each interval, until the dispatch was cancelled"),
  english("{kwh} kWh delivered, of which at most {share} % of the commitment counts"),
  english("not paid here"),
  english("no readings"),
  english("no readings: nothing counts as delivered"),
  english("readings are missing, so it cannot be judged: nothing counts as delivered"),
  english("the operator decided that nothing counts as delivered: {reason}"),
  english("no baseline: {reason}"),
  english("no commitment is agreed"),
  english("{n} of {all} intervals are paid in {program}, which comes first"),
  english("intervals are paid in {program}, which comes first"),
  english("{n} intervals that {program} claims, too, are paid here"),
  english("intervals that {program} claims, too, are paid here"),
  english("not below {share} % of the commitment"),
  english("missing to {share} % of the commitment"),
  english("not judged: the dispatch was cancelled"),
  english("not judged here"),
  english("not judged: the operator decided so: {reason}"),
  english("penalties above the most of a month"),
  english("penalties above what the site earned in the month"),
  english("not enrolled at the end of the month"),
  english("not enrolled in the month"),
  english("commitment of the month"),
  english("commitment at the end of the month"),
  english("what is committed in {programs}, enrolled earlier, is paid there"),
  english("paid here first: {programs} has the same capacity"),
];

/** What differs between two versions of a line. */
const ofChanges = [
  english("result version {from} → {to}"),
  english("price {price} → {next}"),
  english("factor {price} → {next}"),
  english("{kwh} → {most} kWh"),
  english("{kwh} → {most} kW"),
  english("the terms of {program} changed"),
];

const amount = (value: string): string => (value === "unknown" ? say("unknown") : decimal(value));
const version = (value: string): string => (value === "none" ? say("none", {}, "amount") : value);

const sentence = sentencesOf([...ofLines, ...ofChanges], {
  kwh: amount,
  most: amount,
  price: version,
  next: version,
  from: version,
  to: version,
  share: decimal,
});

/** The words of a line, or of a change, in the language of the page. */
export const statementWords = (words: string): string => {
  const [, how, rest] = /^(added|removed): (.*)$/.exec(words) ?? [];
  if (rest === undefined) return words.split("; ").map(sentence).join("; ");
  const said = statementWords(rest);
  return how === "added" ? say("added: {words}", { words: said }) : say("removed: {words}", { words: said });
};
