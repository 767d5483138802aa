import { digestOfText, type KeptProfile, shippedProfile } from "@curtail/meter-data";
import type { Actor } from "../../access/domain/account.js";
import type { Manager } from "../../access/operations/caller.js";
import { changesNothing } from "../../platform/changes-nothing.js";
import { canonical } from "../../platform/idempotency.js";
import { foldedName } from "../../platform/near-match.js";
import type { Ports } from "../../platform/ports.js";
import { quote } from "../../platform/quote.js";
import { invalid, notFound, type Refusal, type Result } from "../../platform/refusal.js";
import {
  type AuditedProfile,
  MAX_MAPPING_PROFILES,
  MAX_PROFILE_CHARACTERS,
  type MappingProfile,
  type MappingProfileStores,
  NO_PROFILE,
} from "./mapping-profile.js";

/** A mapping to be kept. */
export interface NewProfile extends KeptProfile {
  /** Whether it takes the place of one of the same name. */
  readonly replaces: boolean;
}

/** Who keeps a mapping, of which account, and when. */
interface Keeping {
  readonly accountId: string;
  readonly actor: Actor;
  readonly at: Date;
  readonly newId: Ports<unknown>["newId"];
}

/** Keeps a mapping under a name, for the imports of an account. */
export const saveMappingProfile = (
  { transact, clock, newId }: Ports<MappingProfileStores>,
  { actor, within }: Manager,
  accountId: string,
  profile: NewProfile,
) =>
  transact(async (stores): Promise<Result<MappingProfile>> => {
    if (within !== null && within !== accountId) return notFound("account");
    return keepMapping(stores, { accountId, actor, at: clock.now(), newId }, profile);
  });

/** The same in the caller's transaction. */
export const keepMapping = async (
  { accounts, mappingProfiles, audit }: MappingProfileStores,
  { accountId, actor, at, newId }: Keeping,
  { replaces, ...profile }: NewProfile,
): Promise<Result<MappingProfile>> => {
  // The lock serialises counting and adding.
  if ((await accounts.lock(accountId)) === null) return notFound("account");
  const kept = await mappingProfiles.ofAccount(accountId);
  const refusal = refuseProfile(kept, { ...profile, replaces });
  if (refusal !== null) return refusal;
  const before = namedLike(kept, profile.name);
  // The newest of a header is used: saving an older one again is a change.
  if (before !== null && before === kept[0] && changesNothing(before, profile)) return before;
  const after: MappingProfile = { id: before?.id ?? newId("mpr"), accountId, ...profile, savedBy: actor, savedAt: at };
  // It becomes the newest.
  if (before !== null) await mappingProfiles.remove(before.id, accountId);
  await mappingProfiles.insert(after);
  const action = before === null ? "mapping_profile.create" : "mapping_profile.change";
  const states = { before: before === null ? null : audited(before), after: audited(after) };
  await audit.append({ actor, at }, action, after, states);
  return after;
};

/** More of a mapping is a digest in the log, which is never shortened. */
const AUDITED_CHARACTERS = 4096;

const audited = ({ mapping, ...profile }: MappingProfile): AuditedProfile => {
  const text = [...canonical(mapping)].join("");
  return {
    ...profile,
    mapping: text.length > AUDITED_CHARACTERS ? null : mapping,
    mappingDigest: digestOfText(text),
  };
};

/** Why a mapping cannot be kept with those that are. */
export const refuseProfile = (
  kept: readonly MappingProfile[],
  { name, mapping, replaces }: Omit<NewProfile, "header">,
): Refusal | null => {
  const { length } = JSON.stringify(mapping);
  if (length > MAX_PROFILE_CHARACTERS)
    return invalid(`the mapping has ${length} characters as JSON; a profile has at most ${MAX_PROFILE_CHARACTERS}`);
  if (Object.keys(mapping).length === 0) return invalid("mapping states nothing; give at least one member");
  const before = namedLike(kept, name);
  if (before !== null) return replaces ? null : refuseTaken(before.name);
  if (kept.length >= MAX_MAPPING_PROFILES)
    return invalid(
      `the account already has ${MAX_MAPPING_PROFILES} mapping profiles, the maximum; delete or replace one`,
    );
  return refuseName(name);
};

const refuseTaken = (name: string): Refusal =>
  invalid(
    `the account has a mapping profile "${quote(name)}"; choose another name, or replace it with replace: true, in an import with replace_profile=true`,
  );

const refuseName = (name: string): Refusal | null => {
  const folded = foldedName(name);
  if (folded === "") return invalid("the name of a mapping profile is blank; give it one");
  if (folded === NO_PROFILE)
    return invalid(`"${NO_PROFILE}" means no mapping profile in an import; choose another name`);
  return shippedProfile(folded) === null
    ? null
    : invalid(`"${quote(name)}" is a layout that comes with the service; choose another name`);
};

/** Names that differ only in case or spaces are the same (G70). */
export const namedLike = <P extends { readonly name: string }>(kept: readonly P[], name: string): P | null =>
  kept.find((each) => foldedName(each.name) === foldedName(name)) ?? null;

/** Stops keeping a mapping. */
export const deleteMappingProfile = (
  { transact, clock }: Ports<MappingProfileStores>,
  { actor, within }: Manager,
  id: string,
) =>
  transact(async ({ mappingProfiles, audit }): Promise<Result<MappingProfile>> => {
    const before = await mappingProfiles.remove(id, within);
    if (before === null) return notFound("mapping profile");
    await audit.append({ actor, at: clock.now() }, "mapping_profile.delete", before, { before: audited(before) });
    return before;
  });
