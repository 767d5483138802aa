import { TextLink } from "../../ui/text-link.js";
import { useAccountNames } from "./use-accounts.js";

/** An account by its name, with the way to its page. */
export const AccountLink = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <TextLink to="/operations/accounts/$id" params={{ id }}>
    {name}
  </TextLink>
);

/** The same where only its id is known, to the part of its page that one came from. */
export const AccountOf = ({ id, tab }: { readonly id: string; readonly tab?: string }) => {
  const names = useAccountNames();
  return (
    <TextLink to="/operations/accounts/$id" params={{ id }} search={tab === undefined ? {} : { tab }}>
      {names.get(id) ?? id}
    </TextLink>
  );
};
