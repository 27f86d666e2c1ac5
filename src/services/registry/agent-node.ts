/** The name of the only server of an embedded datacenter. */
export const agentNode = 'lanyard';
export const agentAddress = '127.0.0.1';
