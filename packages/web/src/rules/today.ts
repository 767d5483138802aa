/** Start of the viewer's local day. */
export const dayStart = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate());
