export const AvailabilityPage = () => null;
