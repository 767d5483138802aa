/** Texts of the operator by name, which participants see (G59). */
export type DispatchMetadata = Readonly<Record<string, string>>;

/** What an operator adds to a dispatch and changes as it likes: no rule depends on it. */
export interface DispatchDetails {
  readonly metadata: DispatchMetadata;
}

/** The details of a dispatch that was issued without any. */
export const NO_DETAILS: DispatchDetails = { metadata: {} };

interface Member {
  /** Its column of `dispatches`. */
  readonly column: string;
  /** Who sees it: operators see what participants see, and `nobody` keeps it off every interface. */
  readonly for: "participants" | "operators" | "nobody";
  /** Its name in the interfaces, if not that of the column. */
  readonly wire?: string;
  /** A member that may change after a dispatch was issued, `by rules` or `freely`, is saved and audited with every change. */
  readonly changes?: "by rules" | "freely";
}

interface Detail extends Member {
  readonly for: "participants";
  readonly changes: "freely";
}

type Listed = Readonly<Record<string, Member>> & Readonly<Record<keyof DispatchDetails, Detail>>;

/**
 * The members of a dispatch but its program and sites: where each is stored and who sees it. Whatever is not listed here
 * is neither stored nor shown (decision 114).
 */
export const dispatchMembers = {
  id: { column: "id", for: "participants" },
  authorized: { column: "authorized", for: "participants", changes: "by rules" },
  test: { column: "test", for: "participants" },
  start: { column: "start_time", for: "participants", changes: "by rules" },
  end: { column: "end_time", for: "participants", changes: "by rules" },
  createdAt: { column: "created_at", for: "participants", wire: "creation_time" },
  modificationNumber: { column: "modification_number", for: "participants", changes: "by rules" },
  metadata: { column: "metadata", for: "participants", changes: "freely" },
  notification: { column: "notification_time", for: "operators" },
  voidReason: { column: "void_reason", for: "operators", changes: "by rules" },
  isRecord: { column: "is_record", for: "operators", wire: "record" },
  changedAt: { column: "changed_at", for: "nobody", changes: "by rules" },
} as const satisfies Listed;

type Members = typeof dispatchMembers;
export type DispatchMember = keyof Members;

/** Names of the members that are like this. */
export type MemberThat<Like> = {
  [Name in DispatchMember]: Members[Name] extends Like ? Name : never;
}[DispatchMember];

/** The name of a member in the interfaces. */
export type WireName<Name extends DispatchMember> = Members[Name] extends { readonly wire: infer Wire extends string }
  ? Wire
  : Members[Name]["column"];

const names = Object.keys(dispatchMembers) as DispatchMember[];

export const membersThat = <Like extends Partial<Member>>(like: Like): ReadonlyArray<MemberThat<Like>> =>
  names.filter((name) => isLike(dispatchMembers[name], like)) as Array<MemberThat<Like>>;

const isLike = (member: Member, like: Partial<Member>): boolean =>
  Object.entries(like).every(([key, value]) => member[key as keyof Member] === value);

/** What a change saves. */
export const changingMembers = [...membersThat({ changes: "by rules" }), ...membersThat({ changes: "freely" })];

export const wireNameOf = (name: DispatchMember): string => {
  const { wire, column }: Member = dispatchMembers[name];
  return wire ?? column;
};

/** The column of each. */
export const columnOf = Object.fromEntries(names.map((name) => [name, dispatchMembers[name].column])) as {
  readonly [Name in DispatchMember]: Members[Name]["column"];
};
