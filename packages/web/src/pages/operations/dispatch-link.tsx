import { AddressLink } from "../../ui/text-link.js";

/** Links to a dispatch by its id. */
export const DispatchLink = ({ id }: { readonly id: string }) => (
  <AddressLink to={`/operations/dispatches/${id}`}>{id}</AddressLink>
);
