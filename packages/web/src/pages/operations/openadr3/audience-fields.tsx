import { say } from "@curtail/words/page";
import type { AudienceDraft } from "../../../rules/openadr3-event-draft.js";
import { TextArea } from "../../../ui/field.js";
import type { Draft } from "../../../ui/use-draft.js";

const reaches = {
  event: say("Every VEN that one of the lists reaches. If all are empty, everybody who sees the program sees it."),
  program: say(
    "Every VEN that one of the lists reaches. If all are empty, only VENs that an event of it is for see it.",
  ),
} as const;

/** Who sees a program or event. */
export const AudienceFields = <T extends AudienceDraft>({
  draft,
  of,
}: {
  readonly draft: Draft<T>;
  readonly of: keyof typeof reaches;
}) => {
  const { accounts, sites, names } = draft.values;
  const field = (name: keyof AudienceDraft) => ({
    value: draft.values[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      draft.set({ [name]: target.value } as Partial<T>),
    name: `targets.${name}`,
    rows: 2,
  });
  return (
    <details open={`${accounts}${sites}${names}` !== ""}>
      <summary className="cursor-pointer text-sm font-medium">{say("Who sees it")}</summary>
      <div className="mt-2 grid gap-3">
        <p className="text-sm text-muted">{reaches[of]}</p>
        <TextArea
          label={say("Accounts (optional)")}
          hint={say("Ids of accounts, one per line.")}
          {...field("accounts")}
        />
        <TextArea label={say("Sites (optional)")} hint={say("Ids of sites, one per line.")} {...field("sites")} />
        <TextArea
          label={say("Targets (optional)")}
          hint={say("Targets that VENs were granted, one per line.")}
          {...field("names")}
        />
      </div>
    </details>
  );
};
