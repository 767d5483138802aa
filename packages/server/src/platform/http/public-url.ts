/** What makes links for people, or knows pages by their address. */
export interface PublicAddress {
  /** Address under which people reach the service, without a slash at its end. */
  readonly publicUrl: string;
}

export const isHttps = (publicUrl: string): boolean => publicUrl.startsWith("https:");
