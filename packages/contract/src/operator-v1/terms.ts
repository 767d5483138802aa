import Type, { type Static } from "typebox";
import { endpoint } from "../endpoint.js";
import { boolean, byId, id, moment, nullable, text } from "../values.js";
import { PageQuery, pageOf } from "./list.js";

const decimal = (description: string, example: string) =>
  Type.String({
    pattern: "^\\d{1,9}(\\.\\d{1,6})?$",
    description: `${description} A decimal with at most six places, as text.`,
    examples: [example],
  });

/** `YYYY-MM`. */
export const month = (description: string) =>
  Type.String({
    pattern: "^\\d{4}-(0[1-9]|1[0-2])$",
    description: `${description} \`YYYY-MM\`.`,
    examples: ["2026-07"],
  });

const counted = (what: string) =>
  Type.Enum(["net", "floored", "capped"], {
    description: `${what} \`net\`: the sum of all intervals. \`floored\`: without intervals below zero. \`capped\`: each interval counts up to the commitment.`,
  });

const CapacityTerms = Type.Object(
  {
    price_per_kw: decimal("Price for a kW of commitment and month.", "4.5"),
    factor: nullable(
      Type.Object({
        lowest: decimal("Lowest factor.", "0"),
        highest: decimal("Highest factor.", "1"),
      }),
      "Limits of the month's performance, which multiplies the price: delivered energy, each interval up to the commitment, divided by committed energy, over the month's dispatches of the site. 1 without a dispatch that can be judged. null: the price is paid in full.",
    ),
  },
  { $id: "CapacityTerms", description: "Payment for the commitment that a site has at the end of the month." },
);

const EnergyTerms = Type.Object(
  {
    price_per_kwh: decimal("Price for a kWh.", "0.12"),
    counted: counted("Delivered energy that counts."),
    highest_share: nullable(
      decimal("Share of the committed energy above which nothing is paid.", "1.2"),
      "Share of the committed energy above which nothing is paid, as decimal text. null: all is paid.",
    ),
  },
  { $id: "EnergyTerms", description: "Payment for the energy that a site delivers in each dispatch." },
);

const PenaltyTerms = Type.Object(
  {
    below: decimal("Share of the committed energy up to which the site pays for what is missing.", "0.8"),
    price_per_kwh: decimal("Price that the site pays for a kWh of shortfall.", "0.5"),
    counted: counted("Delivered energy that is compared."),
    highest_per_month: nullable(
      decimal("The most that a site pays in a month.", "500"),
      "The most that a site pays in a month, as decimal text. null: no limit.",
    ),
    within_earnings: boolean("`true`: a site pays at most what it earned in the month.", true),
  },
  { $id: "PenaltyTerms", description: "What a site pays for a dispatch in which it delivers too little." },
);

export const Terms = Type.Object(
  {
    currency: Type.String({ pattern: "^[A-Z]{3}$", description: "Currency, a code of ISO 4217.", examples: ["USD"] }),
    capacity: nullable(CapacityTerms),
    energy: nullable(EnergyTerms),
    penalty: nullable(PenaltyTerms),
  },
  {
    $id: "Terms",
    description: "What the sites of a program are paid for, and what they pay. null: nothing of the kind.",
  },
);
export type Terms = Static<typeof Terms>;

const { price_per_kw, factor } = CapacityTerms.properties;
const { highest_share, ...energy } = EnergyTerms.properties;
const { highest_per_month, within_earnings, ...penalty } = PenaltyTerms.properties;

/** Members that a request may leave out are null or false. */
const GivenTerms = Type.Object({
  currency: Terms.properties.currency,
  capacity: Type.Optional(
    nullable(Type.Object({ price_per_kw, factor: Type.Optional(factor) }), "Payment for commitments. Default: null."),
  ),
  energy: Type.Optional(
    nullable(
      Type.Object({ ...energy, highest_share: Type.Optional(highest_share) }),
      "Payment for delivered energy. Default: null.",
    ),
  ),
  penalty: Type.Optional(
    nullable(
      Type.Object({
        ...penalty,
        highest_per_month: Type.Optional(highest_per_month),
        within_earnings: Type.Optional(within_earnings),
      }),
      "What is paid for missing energy. Default: null.",
    ),
  ),
});
export type GivenTerms = Static<typeof GivenTerms>;

export const fromMonth = month("Month from which the terms hold, until those of a later month.");

export const ProgramTerms = Type.Object(
  {
    program_id: id("program"),
    from_month: fromMonth,
    terms: Terms,
    set_at: moment("When the terms were set.", "created"),
  },
  { $id: "ProgramTerms", description: "Terms of a program from a month on." },
);
export type ProgramTerms = Static<typeof ProgramTerms>;

const termsParams = Type.Object({
  id: id("program"),
  from_month: text(20, "Month from which the terms hold. `YYYY-MM`.", "2026-07", 1),
});

export const setTerms = endpoint({
  id: "setTerms",
  method: "PUT",
  path: "/programs/{id}/terms/{from_month}",
  tag: "Settlement",
  summary: "Set the terms of a program",
  description:
    "The terms apply from that month until those of a later month. Statements that are not approved are made again within a minute. An unknown currency, or terms without any part, get 400.",
  params: termsParams,
  body: GivenTerms,
  reply: ProgramTerms,
});

export const listTerms = endpoint({
  id: "listTerms",
  method: "GET",
  path: "/programs/{id}/terms",
  tag: "Settlement",
  summary: "List the terms of a program",
  description: "Returns the terms in order of their months. What was changed or deleted is in the audit log.",
  params: byId("program"),
  query: PageQuery,
  reply: pageOf(ProgramTerms),
});

export const deleteTerms = endpoint({
  id: "deleteTerms",
  method: "DELETE",
  path: "/programs/{id}/terms/{from_month}",
  tag: "Settlement",
  summary: "Delete terms of a program",
  description: "The terms of the month before hold on, if there are any. Statements that are not approved follow.",
  params: termsParams,
  status: 204,
});
