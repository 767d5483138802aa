/** Which emails are taken as the person's own: those the provider marks as verified, all, or those a claim vouches for. */
export type EmailTrust = "verified" | "all" | { readonly claim: string };
