import type { MappingProfile, operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { useChange, useFormChange } from "../../api/use-change.js";
import { joined } from "../../format/and.js";
import { chosenProfile, isKept, type MeterDataDraft, NO_PROFILE, withProfile } from "../../rules/meter-data-draft.js";
import { Button } from "../../ui/button.js";
import { ConfirmButton } from "../../ui/dialog-button.js";
import { Field, Select } from "../../ui/field.js";
import { Form } from "../../ui/form.js";
import { DayAndClock } from "../../ui/page-zone.js";
import { sayParts } from "../../ui/say-parts.js";
import type { ProfileScope } from "./scope.js";

type Result = operator.MeterDataResult;

interface Shown {
  readonly result: Result;
  readonly scope: ProfileScope;
  readonly draft: MeterDataDraft;
  readonly onChange: (draft: MeterDataDraft) => void;
}

/** Which profile a file is read by, and another one to choose. */
export const ProfileChoice = ({ result, scope, draft, onChange }: Shown) => {
  const used = result.mapping_profile ?? null;
  return (
    <div className="grid gap-2">
      {used !== null && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-info-soft px-4 py-2">
          <p className="text-info">
            {used.chosen_by === "header"
              ? say("Taken as “{name}”, because the header is the same.", { name: used.name })
              : say("Taken as “{name}”.", { name: used.name })}
            {used.others.length > 0 &&
              ` ${say("Other profiles with this header: {names}.", { names: joined(used.others) })}`}
          </p>
          <Button onClick={() => onChange(withProfile(draft, NO_PROFILE))}>{say("Do not use it")}</Button>
        </div>
      )}
      <div className="max-w-sm">
        <Select
          label={say("Read as")}
          value={chosenProfile(draft, result)}
          choices={[
            { value: NO_PROFILE, label: say("guessed from the file") },
            ...scope.kept.items.map(({ name }) => ({ value: name, label: name })),
            ...scope.layouts.map(({ name, description }) => ({ value: name, label: `${name}: ${description}` })),
          ]}
          onChange={({ target }) => onChange(withProfile(draft, target.value))}
        />
      </div>
    </div>
  );
};

/** Keeps the mapping of a file for others with its header, and deletes those that are kept. */
export const KeepProfile = ({
  result,
  isCurrent,
  scope,
}: Pick<Shown, "result" | "scope"> & {
  /** Whether the result is that of what was said last. */
  readonly isCurrent: boolean;
}) => {
  const [name, setName] = useState("");
  const isThere = isKept(name, scope.kept.items);
  const { run, isPending, error } = useFormChange(scope.save, {
    done: say("Kept as “{name}”.", { name: name.trim() }),
    after: () => setName(""),
  });
  const { profile_mapping: mapping, header } = result;
  if (mapping === undefined || mapping === null) return null;
  return (
    <div className="grid gap-2">
      <Form
        error={error}
        onSend={() =>
          // The key Enter sends a form although its button is disabled.
          isCurrent &&
          run({ name: name.trim(), mapping, header: header ?? null, ...(isThere ? { replace: true } : {}) })
        }
      >
        <div className="flex flex-wrap items-end gap-2">
          <Field
            name="name"
            label={say("Use next time for files with this header")}
            placeholder={say("Name of the profile")}
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <Button type="submit" disabled={!isCurrent || name.trim() === ""} busy={isPending && say("Saving…")}>
            {isThere ? say("Replace") : say("Save")}
          </Button>
        </div>
      </Form>
      {scope.kept.items.length > 0 && <Kept scope={scope} />}
    </div>
  );
};

const Kept = ({ scope }: Pick<Shown, "scope">) => (
  <details>
    <summary className="min-h-6 text-sm font-medium text-accent">{say("Kept profiles")}</summary>
    <ul className="mt-1 grid gap-1">
      {scope.kept.items.map((profile) => (
        <li
          key={profile.id}
          className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-1 last:border-0"
        >
          <span className="min-w-0 break-words">
            {profile.name}{" "}
            <span className="text-sm text-muted">
              {sayParts("saved {time}", { time: <DayAndClock at={profile.saved_at} /> })}
            </span>
          </span>
          <Delete profile={profile} scope={scope} />
        </li>
      ))}
    </ul>
  </details>
);

const Delete = ({ profile: { id, name }, scope }: Pick<Shown, "scope"> & { readonly profile: MappingProfile }) => {
  const { run, isPending } = useChange(() => scope.remove(id), { done: say("“{name}” deleted.", { name }) });
  return (
    <ConfirmButton
      label={say("Delete")}
      look="quiet"
      title={say("Delete “{name}”?", { name })}
      run={() => run(undefined)}
      busy={isPending}
    >
      {say("Files with its header are guessed again. What was imported stays.")}
    </ConfirmButton>
  );
};
