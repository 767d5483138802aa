/** "online" or "offline". */
export const availabilityTopic = (topic: string): string => `${topic}/status`;
/** JSON of what a site does. */
export const stateTopic = (topic: string, siteId: string): string => `${topic}/${siteId}/state`;
/** Takes overrides. */
export const overrideTopic = (topic: string, siteId: string): string => `${topic}/${siteId}/override/set`;
