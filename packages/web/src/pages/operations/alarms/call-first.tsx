import { say } from "@curtail/words/page";
import { useState } from "react";
import { useUser } from "../../../api/session.js";
import { power } from "../../../format/quantity.js";
import { type AlarmGroup, dialled } from "../../../rules/alarm-group.js";
import { mayWrite } from "../../../rules/role.js";
import { ContactLink } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { Icon } from "../../../ui/icon.js";
import { AccountLink } from "../account-link.js";
import { type Callee, RecordCall } from "../phone-call.js";

type CallFirst = NonNullable<AlarmGroup["call_first"]>;

/** The account to call first. */
export const FirstAccount = ({ first }: { readonly first: CallFirst }) => (
  <div className="min-w-0 text-sm">
    <div className="truncate [&_a]:hover:underline">
      <AccountLink id={first.account_id} name={first.account_name} />
      {first.at_stake_kw !== null && first.at_stake_kw > 0 && `, ${power(first.at_stake_kw)}`}
    </div>
    <div className="truncate text-[13px] text-muted">
      {first.contact === null
        ? say("no contact: add one to the account")
        : say("call first: {name}", { name: first.contact.name })}
    </div>
  </div>
);

/** Calls the account; of a dispatch, asks then what the call was to be recorded. */
export const CallButton = ({
  group: { dispatch, cause },
  first,
  isNext,
}: {
  readonly group: AlarmGroup;
  readonly first: CallFirst;
  /** Whether it is the next thing to do on the page. */
  readonly isNext: boolean;
}) => {
  const [called, setCalled] = useState<Callee | null>(null);
  const writes = mayWrite(useUser());
  const { contact, account_id: accountId, account_name: accountName } = first;
  if (contact === null) return null;
  const { phone, email } = contact;
  const onClick = () => {
    if (dispatch === null || !writes || !recorded.has(cause)) return;
    setCalled({ dispatchId: dispatch.id, accountId, accountName, modification: null, contact });
  };
  return (
    <>
      <ContactLink
        data-call
        href={phone === null ? `mailto:${email}` : dialled(phone)}
        look={isNext ? "primary" : "plain"}
        aria-label={phone === null ? say("Email {name}", { name: contact.name }) : say("Call {phone}", { phone })}
        onClick={onClick}
      >
        {phone !== null && <Icon name="phone" />}
        <span className="max-w-48 truncate">{phone ?? email}</span>
      </ContactLink>
      <Dialog
        title={say("{account} was notified by phone", { account: called?.accountName ?? accountName })}
        open={called !== null}
        onClose={() => setCalled(null)}
      >
        {called !== null && (
          <RecordCall callee={called} said={say("Notified of the dispatch.")} onDone={() => setCalled(null)} />
        )}
      </Dialog>
    </>
  );
};

/** Causes that end once somebody has said it on the phone. */
const recorded: ReadonlySet<string> = new Set(["not_notified", "not_acknowledged"]);
