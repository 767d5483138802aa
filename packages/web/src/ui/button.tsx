import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";

type Look = "primary" | "plain" | "danger" | "quiet";

const looks: Readonly<Record<Look, string>> = {
  primary: "bg-accent text-accent-ink hover:brightness-110",
  plain: "bg-surface text-ink ring-1 ring-inset ring-line hover:bg-sunken",
  danger: "bg-bad-soft text-bad ring-1 ring-inset ring-bad hover:brightness-105",
  quiet: "text-accent hover:bg-accent-soft",
};

const shape =
  "inline-flex min-h-9 items-center justify-center gap-2 rounded-lg px-3 py-1.5 text-sm font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-55";

interface Looks {
  readonly look?: Look;
  /** Shown instead of the label while the action runs; the button is disabled. */
  readonly busy?: string | false;
}

export const Button = ({ look = "plain", busy = false, children, ...rest }: Looks & ComponentProps<"button">) => (
  <button
    type="button"
    {...rest}
    disabled={rest.disabled === true || busy !== false}
    className={`${shape} ${looks[look]}`}
  >
    {busy === false ? children : busy}
  </button>
);

/** A link that looks like a button. */
export const ButtonLink = ({
  look = "plain",
  children,
  ...to
}: LinkProps & { readonly look?: Look; readonly children: ReactNode }) => (
  <Link {...to} className={`${shape} ${looks[look]}`}>
    {children}
  </Link>
);

/** A link that a phone or a mail program opens; `onClick` does something besides. */
export const ContactLink = ({ look = "plain", children, ...rest }: { readonly look?: Look } & ComponentProps<"a">) => (
  <a {...rest} className={`${shape} ${looks[look]}`}>
    {children}
  </a>
);

/** A link to a file to download. */
export const Download = ({
  href,
  name = "",
  children,
}: {
  readonly href: string;
  /** File name, if the response has none. */
  readonly name?: string;
  readonly children: ReactNode;
}) => (
  <a href={href} download={name} className={`${shape} ${looks.plain}`}>
    {children}
  </a>
);
