import { useChange } from "../api/use-change.js";
import { ConfirmButton } from "../ui/dialog-button.js";

export interface SignOutUserProps {
  readonly name: string;
  readonly signOut: () => Promise<unknown>;
}

/** Ends all sessions of a user, once confirmed. */
export const SignOutUser = ({ name, signOut }: SignOutUserProps) => {
  const end = useChange(signOut, { done: `${name} is signed out everywhere.` });
  return (
    <ConfirmButton
      label="Sign out"
      title={`Sign ${name} out everywhere?`}
      run={() => end.run(undefined)}
      busy={end.isPending}
    >
      All sessions of {name} end at once. Signing in again takes the password as before.
    </ConfirmButton>
  );
};
