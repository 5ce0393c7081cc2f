// An import would ask node:http for its WebSocket too, which takes Node 30 ms to load.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** What HTTP calls a status, such as `Not Found` for 404. */
export const statusText = (status: number): string => STATUS_CODES[status] ?? '';
