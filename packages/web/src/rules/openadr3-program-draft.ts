import type { BodyOf, operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import {
  type AudienceDraft,
  audienceDraftOf,
  audienceOf,
  isPrice,
  type OwnProgram,
  type PayloadType,
  unitsOf,
} from "./openadr3-event-draft.js";

/** What the events of a program are about; each is a set of payload types. */
const PURPOSES = {
  prices: ["PRICE"],
  "export-prices": ["PRICE", "EXPORT_PRICE"],
  emissions: ["GHG"],
  "import-limits": ["IMPORT_CAPACITY_LIMIT", "IMPORT_CAPACITY_SUBSCRIPTION"],
  "power-limits": [
    "IMPORT_CAPACITY_LIMIT",
    "EXPORT_CAPACITY_LIMIT",
    "IMPORT_CAPACITY_SUBSCRIPTION",
    "EXPORT_CAPACITY_SUBSCRIPTION",
  ],
  alerts: [],
} as const satisfies Readonly<Record<string, readonly PayloadType[]>>;

export type Purpose = keyof typeof PURPOSES;

export const purposeChoices: ReadonlyArray<{ readonly value: Purpose; readonly label: string }> = [
  { value: "prices", label: say("Prices") },
  { value: "export-prices", label: say("Prices of imported and exported energy") },
  { value: "emissions", label: say("Greenhouse gas emissions") },
  { value: "import-limits", label: say("Limits of imported power") },
  { value: "power-limits", label: say("Limits of imported and exported power") },
  { value: "alerts", label: say("Alerts, or other values") },
];

/** A program of the operator's own in the form. */
export interface OwnProgramDraft extends AudienceDraft {
  readonly name: string;
  readonly environment: OwnProgram["environment"];
  readonly purpose: Purpose;
  readonly currency: string;
  readonly isPublic: boolean;
}

export const newOwnProgram = (environment: OwnProgram["environment"]): OwnProgramDraft => ({
  name: "",
  environment,
  purpose: "prices",
  currency: "",
  isPublic: false,
  accounts: "",
  sites: "",
  names: "",
});

export const hasPrices = (purpose: Purpose): boolean => PURPOSES[purpose].some(isPrice);

export const newOwnProgramOf = (draft: OwnProgramDraft): BodyOf<typeof operator.createOpenadrProgram> => {
  const currency = draft.currency.trim().toUpperCase();
  return {
    name: draft.name.trim(),
    environment: draft.environment,
    payloads: PURPOSES[draft.purpose].map((payload_type) => {
      const [units = ""] = unitsOf(payload_type);
      return { payload_type, units, ...(isPrice(payload_type) && currency !== "" ? { currency } : {}) };
    }),
    ...seenBy(draft),
  };
};

/** A public program has no targets. */
const seenBy = (draft: AudienceDraft & { readonly isPublic: boolean }) => ({
  public: draft.isPublic,
  targets: draft.isPublic ? {} : audienceOf(draft),
});

/** What the form of an existing program changes. */
export interface OwnProgramChange extends AudienceDraft {
  readonly name: string;
  readonly isPublic: boolean;
}

export const programChangeOf = ({ name, targets, public: isPublic }: OwnProgram): OwnProgramChange => ({
  name,
  isPublic,
  ...audienceDraftOf(targets),
});

export const changedProgramOf = (draft: OwnProgramChange): BodyOf<typeof operator.changeOpenadrProgram> => ({
  name: draft.name.trim(),
  ...seenBy(draft),
});

/** Who sees a program or event, in words. */
export const audienceWords = ({ accounts, sites, names }: OwnProgram["targets"], everybody: string): string => {
  const [a, s] = [accounts.length, sites.length];
  const parts = [
    ...(a === 0 ? [] : [say("{n, plural, one {# account} other {# accounts}}", { n: a })]),
    ...(s === 0 ? [] : [say("{n, plural, one {# site} other {# sites}}", { n: s })]),
    ...names,
  ];
  return parts.length === 0 ? everybody : parts.join(", ");
};
