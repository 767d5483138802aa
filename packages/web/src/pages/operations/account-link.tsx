import { TextLink } from "../../ui/text-link.js";
import { useAccountNames } from "./use-accounts.js";

/** Links to an account by its name. */
export const AccountLink = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <TextLink to="/operations/accounts/$id" params={{ id }}>
    {name}
  </TextLink>
);

/** The same if only the id is known, to a tab of its page. */
export const AccountOf = ({ id, tab }: { readonly id: string; readonly tab?: string }) => {
  const names = useAccountNames();
  return (
    <TextLink to="/operations/accounts/$id" params={{ id }} search={tab === undefined ? {} : { tab }}>
      {names.get(id) ?? id}
    </TextLink>
  );
};
