/** Whether a VEN can be heard: one of its certificates is valid at this time. */
export const hasValidCertificate = (now: string): string => `exists (
  select from ven_certificates where ven = vens.id and revoked_at is null and expires_at > ${now})`;
