/** How long an order may be unknown to the venue before the bot that is killed takes it for lost. */
export const LOST_AFTER_US = 500_000;
