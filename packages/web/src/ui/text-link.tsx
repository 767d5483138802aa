import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

const look = "font-medium text-accent underline-offset-2 hover:underline";

/** A link within a text or a table. */
export const TextLink = ({ children, ...to }: LinkProps & { readonly children: ReactNode }) => (
  <Link {...to} className={look}>
    {children}
  </Link>
);

/** The same for an address that is computed. */
export const AddressLink = ({ to, children }: { readonly to: string; readonly children: ReactNode }) => (
  <Link to={to} className={look}>
    {children}
  </Link>
);
