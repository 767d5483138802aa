import { AddressLink } from "../../ui/text-link.js";

/** A dispatch by its id, with the way to its page. */
export const DispatchLink = ({ id }: { readonly id: string }) => (
  <AddressLink to={`/operations/dispatches/${id}`}>{id}</AddressLink>
);
