// What the service takes. Pages load no schema of the contract, so limits.test.ts holds these against them.
export const NAME_CHARACTERS = 200;
export const EMAIL_CHARACTERS = 254;
export const PHONE_CHARACTERS = 50;
export const ADDRESS_CHARACTERS = 2048;
export const VEN_ID_CHARACTERS = 64;
export const MAX_POLL_SECONDS = 86_400;
export const MAX_CERTIFICATE_DAYS = 3650;
export const MAX_VERIFICATION_MINUTES = 1440;
/** Items of a page of a list. */
export const MAX_PAGE = 500;
