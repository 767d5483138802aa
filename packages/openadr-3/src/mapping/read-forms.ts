import type { ObjectType } from "../contract/values.js";
import type { Role } from "../rules/scopes.js";
import { PAYLOAD_RULES, REPORT_PAYLOADS } from "./payload-types.js";

/** A request in the form of the contract, and what was read otherwise than it was written. */
export interface ReadForm {
  readonly body: unknown;
  /** For the developer of the client; each is about one member. */
  readonly hints: readonly string[];
}

/**
 * Reads forms of OpenADR 3.0 and bodies that were read with GET, where they mean one thing only. What may mean several
 * things stays as it is, for the contract to refuse.
 */
export const readForm = (
  body: unknown,
  { type, role }: { readonly type: ObjectType; readonly role: Role },
): ReadForm => {
  if (!isNode(body)) return { body, hints: [] };
  const read = [(each: Node) => inFormOf(each, type, role), withTextTargets, withKinds(type)];
  return read.reduce<{ body: Node; hints: string[] }>(
    ({ body: before, hints }, step) => {
      const { body: after, hint } = step(before);
      return { body: after, hints: hint === null ? hints : [...hints, hint] };
    },
    { body, hints: [] },
  );
};

type Node = Readonly<Record<string, unknown>>;

interface Step {
  readonly body: Node;
  readonly hint: string | null;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** The role of the client shows which request of a ven or resource it sends, if `objectType` does not. */
const inFormOf = (body: Node, type: ObjectType, role: Role): Step => {
  if (type !== "VEN" && type !== "RESOURCE") return { body, hint: null };
  const asked = body["objectType"] ?? null;
  if (asked !== null && asked !== type) return { body, hint: null };
  const objectType = `${role === "bl" ? "BL" : "VEN"}_${type}_REQUEST`;
  const hint = asked === null ? `objectType is missing; the request was read as ${objectType}` : null;
  if (role === "bl") return { body: { ...body, objectType }, hint };
  // Members of the answer that a VEN does not write.
  const { clientID: _client, targets: _targets, ...own } = body;
  return { body: { ...own, objectType }, hint };
};

/** Targets were valuesMaps in OpenADR 3.0: `{ "type": "GROUP", "values": ["group-1"] }`. */
const withTextTargets = (body: Node): Step => {
  const targets = textsOf(body["targets"]);
  const descriptors = Array.isArray(body["reportDescriptors"]) ? body["reportDescriptors"] : [];
  const read = descriptors.map((each: unknown) => {
    const own = isNode(each) ? textsOf(each["targets"]) : null;
    return own === null ? null : { ...(each as Node), targets: own };
  });
  const isRead = read.some((each) => each !== null);
  if (targets === null && !isRead) return { body, hint: null };
  return {
    body: {
      ...body,
      ...(targets === null ? {} : { targets }),
      ...(isRead ? { reportDescriptors: descriptors.map((each: unknown, index) => read[index] ?? each) } : {}),
    },
    hint: "targets are lists of type and values, as in OpenADR 3.0; each value was read as a target",
  };
};

/** null: they are no valuesMaps, or values of theirs are no texts. */
const textsOf = (targets: unknown): readonly string[] | null => {
  if (!Array.isArray(targets) || targets.length === 0) return null;
  const values = targets.flatMap((each: unknown) =>
    isNode(each) && typeof each["type"] === "string" && Array.isArray(each["values"]) ? each["values"] : [null],
  );
  return values.every((value: unknown): value is string => typeof value === "string") ? values : null;
};

/** Descriptors of a program are of events or of reports; the payload shows which, if `objectType` is left out. */
const withKinds =
  (type: ObjectType) =>
  (body: Node): Step => {
    const descriptors = body["payloadDescriptors"];
    if (type !== "PROGRAM" || !Array.isArray(descriptors)) return { body, hint: null };
    const kinds = descriptors.map(kindOf);
    const first = kinds.findIndex((kind) => kind !== null);
    if (first === -1) return { body, hint: null };
    const payloadDescriptors = descriptors.map((each: unknown, index) =>
      kinds[index] === null ? each : { ...(each as Node), objectType: kinds[index] },
    );
    return {
      body: { ...body, payloadDescriptors },
      hint: `payloadDescriptors[${first}].objectType is missing; it was read as ${kinds[first]}`,
    };
  };

const OF_REPORTS = ["readingType", "accuracy", "confidence"] as const;

/** null: it has its kind, or a private payload, which may be of either. */
const kindOf = (descriptor: unknown): "EVENT_PAYLOAD_DESCRIPTOR" | "REPORT_PAYLOAD_DESCRIPTOR" | null => {
  if (!isNode(descriptor) || (descriptor["objectType"] ?? null) !== null) return null;
  const payload = String(descriptor["payloadType"]);
  if (PAYLOAD_RULES.has(payload)) return "EVENT_PAYLOAD_DESCRIPTOR";
  return REPORT_PAYLOADS.has(payload) || OF_REPORTS.some((name) => (descriptor[name] ?? null) !== null)
    ? "REPORT_PAYLOAD_DESCRIPTOR"
    : null;
};
