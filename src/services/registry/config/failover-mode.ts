const failoverModes: readonly string[] = ['', 'sequential', 'order-by-locality'];
export const failoverModeError =
  "Failover-policy mode must be one of '', 'sequential', or 'order-by-locality'";
export const isFailoverMode = (mode: string): boolean => failoverModes.includes(mode);
