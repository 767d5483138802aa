import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { type User, useUser } from "../../../api/session.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import { type Invitation, InvitationLink } from "../../../parts/invitation-link.js";
import { SignOutUser } from "../../../parts/sign-out-user.js";
import { isOfParticipant } from "../../../rules/role.js";
import { Button } from "../../../ui/button.js";
import { Actions } from "../../../ui/dialog.js";
import { ConfirmButton, DialogButton } from "../../../ui/dialog-button.js";
import { Field, Select } from "../../../ui/field.js";
import { Form } from "../../../ui/form.js";
import { useDraft } from "../../../ui/use-draft.js";
import { roleChoices } from "./role.js";

/** What an administrator may do about somebody; nobody locks out oneself. */
export const UserActions = ({ user }: { readonly user: User }) => {
  const isSelf = useUser().id === user.id;
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton label="Edit" title={`Edit ${user.name}`}>
        {(close) => <EditUser user={user} withRole={!isSelf} onDone={close} />}
      </DialogButton>
      {!isSelf && !user.disabled && (
        <DialogButton label="New link" title={`New invitation for ${user.name}`}>
          {(close) => <NewInvitation user={user} onDone={close} />}
        </DialogButton>
      )}
      {!isSelf && <Ability user={user} />}
      {!isSelf && user.has_password && !user.disabled && <SignOut user={user} />}
      {!isSelf && <Delete user={user} />}
    </div>
  );
};

const EditUser = ({
  user: { id, name, email, role },
  withRole,
  onDone,
}: {
  readonly user: User;
  readonly withRole: boolean;
  readonly onDone: () => void;
}) => {
  const draft = useDraft({ name, email, role });
  const change = useFormChange(
    ({ role: chosen, ...body }: Pick<User, "name" | "email" | "role">) =>
      callOperator("PATCH", "/users/{id}", { params: { id }, body: withRole ? { ...body, role: chosen } : body }),
    { done: "Saved.", after: onDone },
  );
  return (
    <Form onSend={() => change.run(draft.values)} error={change.error}>
      <Field label="Name" maxLength={200} {...draft.text("name")} />
      <Field
        label="Email"
        hint="Used to sign in. Invitation links sent to the address before stop working."
        type="email"
        maxLength={254}
        {...draft.text("email")}
      />
      {withRole && <Select label="Role" choices={roleChoices(isOfParticipant(role))} {...draft.text("role")} />}
      <Actions>
        <Button type="submit" look="primary" busy={change.isPending && "Saving…"}>
          Save
        </Button>
      </Actions>
    </Form>
  );
};

const invite = (id: string) => callOperator("POST", "/users/{id}/invitation", { params: { id } });

const NewInvitation = ({
  user: { id, has_password },
  onDone,
}: {
  readonly user: User;
  readonly onDone: () => void;
}) => {
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const make = useChange(invite, { after: setInvitation });
  if (invitation !== null) return <InvitationLink invitation={invitation} onDone={onDone} />;
  return (
    <>
      <p className="mb-4">
        {has_password
          ? "Whoever uses the link sets a new password. The authenticator app and single sign-on are taken off, and all sessions end."
          : "Links made before no longer work."}
      </p>
      <Actions>
        <Button look="primary" onClick={() => make.run(id)} busy={make.isPending && "Making…"}>
          Make a new link
        </Button>
        <Button onClick={onDone}>Back</Button>
      </Actions>
    </>
  );
};

const SignOut = ({ user: { id, name } }: { readonly user: User }) => (
  <SignOutUser name={name} signOut={() => callOperator("POST", "/users/{id}/sign-out", { params: { id } })} />
);

const Delete = ({ user: { id, name, email } }: { readonly user: User }) => {
  const remove = useChange(() => callOperator("DELETE", "/users/{id}", { params: { id } }), {
    done: `${name} is deleted.`,
  });
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${name}?`}
      look="danger"
      run={() => remove.run(undefined)}
      busy={remove.isPending}
    >
      {name} is signed out at once and cannot sign in again. {email} can be invited anew. The audit log keeps the name.
      This cannot be undone.
    </ConfirmButton>
  );
};

const Ability = ({ user: { id, name, disabled } }: { readonly user: User }) => {
  const change = useFormChange(
    (to: boolean) => callOperator("PATCH", "/users/{id}", { params: { id }, body: { disabled: to } }),
    { done: disabled ? `${name} may sign in again.` : `${name} is signed out and may not sign in.` },
  );
  if (disabled)
    return (
      <Button onClick={() => change.run(false)} busy={change.isPending && "Enabling…"}>
        Enable
      </Button>
    );
  return (
    <ConfirmButton
      label="Disable"
      title={`Disable ${name}?`}
      look="danger"
      run={() => change.run(true)}
      busy={change.isPending}
    >
      All sessions end at once, and signing in is refused until the user is enabled again.
    </ConfirmButton>
  );
};
