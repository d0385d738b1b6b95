/** SQL over a membership `m`: it counts. One that was only asked for, or has ended, does not. */
export const LIVE_MEMBER = 'm.requested_at IS NULL AND (m.expires_at IS NULL OR m.expires_at > current_date)';
