export const seeds = 613;
