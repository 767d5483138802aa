/** For code that creates links or identifies pages by their address. */
export interface PublicAddress {
  /** Public address of the service, without a trailing slash. */
  readonly publicUrl: string;
}

export const isHttps = (publicUrl: string): boolean => publicUrl.startsWith("https:");
