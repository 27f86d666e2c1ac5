/** The one server of an embedded datacenter. */
export const agentNode = 'lanyard';
export const agentAddress = '127.0.0.1';
