import type { operator } from "@curtail/contract";
import { EMAIL_CHARACTERS, NAME_CHARACTERS } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useState } from "react";
import { useUser } from "../api/session.js";
import { useChange, useFormChange } from "../api/use-change.js";
import { isOfParticipant } from "../rules/role.js";
import { Button } from "../ui/button.js";
import { Actions } from "../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../ui/dialog-button.js";
import { Field, Select } from "../ui/field.js";
import { Form } from "../ui/form.js";
import { useDraft } from "../ui/use-draft.js";
import { type Invitation, InvitationLink } from "./invitation-link.js";
import { roleChoices } from "./role-words.js";
import { SignOutUser, UserAbility } from "./user-actions.js";
import type { OperatorUsers } from "./user-scope.js";

type User = operator.User;

interface Of {
  readonly scope: OperatorUsers;
  readonly user: User;
}

/** Actions of an administrator on a user; nobody can lock themselves out. */
export const OperatorUserActions = ({ scope, user }: Of) => {
  const isSelf = useUser().id === user.id;
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton label={say("Edit")} title={say("Edit {name}", { name: user.name })}>
        {(close) => <EditUser scope={scope} user={user} withRole={!isSelf} onDone={close} />}
      </DialogButton>
      {!isSelf && !user.disabled && (
        <DialogButton label={say("New link")} title={say("New invitation for {name}", { name: user.name })}>
          {(close) => <NewInvitation scope={scope} user={user} onDone={close} />}
        </DialogButton>
      )}
      {!isSelf && <UserAbility scope={scope} user={user} />}
      {!isSelf && user.has_password && !user.disabled && <SignOutUser scope={scope} user={user} />}
      {!isSelf && <Delete scope={scope} user={user} />}
    </div>
  );
};

const EditUser = ({
  scope,
  user: { id, name, email, role },
  withRole,
  onDone,
}: Of & { readonly withRole: boolean; readonly onDone: () => void }) => {
  const draft = useDraft({ name, email, role });
  const change = useFormChange(
    ({ role: chosen, ...body }: Pick<User, "name" | "email" | "role">) =>
      scope.edit(id, withRole ? { ...body, role: chosen } : body),
    { done: say("Saved."), after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <Field label={say("Name")} maxLength={NAME_CHARACTERS} {...draft.text("name")} />
      <Field
        label={say("Email")}
        hint={say("Used to sign in. Invitation links sent to the previous address stop working.")}
        type="email"
        maxLength={EMAIL_CHARACTERS}
        {...draft.text("email")}
      />
      {withRole && <Select label={say("Role")} choices={roleChoices(isOfParticipant(role))} {...draft.text("role")} />}
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && say("Saving…")}>
          {say("Save")}
        </Button>
      </Actions>
    </Form>
  );
};

const NewInvitation = ({ scope, user: { id, has_password }, onDone }: Of & { readonly onDone: () => void }) => {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const make = useChange(scope.renew, { after: setInvitation });
  if (invitation !== null) return <InvitationLink invitation={invitation} onDone={onDone} />;
  return (
    <>
      <p className="mb-4">
        {has_password
          ? say(
              "The user sets a new password with the link. The authenticator app and single sign-on are removed, and all sessions end.",
            )
          : say("Earlier links no longer work.")}
      </p>
      <Actions>
        <Button look="primary" onClick={() => make.run(id)} busy={make.isPending && say("Creating…")}>
          {say("Create a new link")}
        </Button>
        <Button onClick={onDone}>{say("Back")}</Button>
      </Actions>
    </>
  );
};

const Delete = ({ scope, user: { id, name, email } }: Of) => {
  const remove = useChange(() => scope.remove(id), {
    done: say("{name} was deleted.", { name }),
  });
  return (
    <ConfirmButton
      label={say("Delete")}
      title={say("Delete {name}?", { name })}
      look="danger"
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      {say(
        "{name} is signed out immediately and cannot sign in again. {email} can be invited again. The audit log keeps the name. This cannot be undone.",
        { name, email },
      )}
    </ConfirmButton>
  );
};
