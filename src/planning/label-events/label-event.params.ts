import { params, wire } from '#libs/http';

const Event = { event_id: wire.integer() };

export const IssueLabelEvents = params({ issue_iid: wire.integer() });
export const IssueLabelEvent = IssueLabelEvents.extend(Event);

/** The reference finds epics by their id here, not by their number within the group. */
export const EpicLabelEvents = params({ epic_id: wire.integer() });
export const EpicLabelEvent = EpicLabelEvents.extend(Event);
