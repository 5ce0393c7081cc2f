// An import would also load node:http's WebSocket, which takes 30 ms.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** HTTP's text of a status, such as `Not Found` for 404. */
export const statusText = (status: number): string => STATUS_CODES[status] ?? '';
