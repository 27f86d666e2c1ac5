/** The name of the agent, which is the only server of the primary datacenter. */
export const agentNode = 'lanyard';
export const agentAddress = '127.0.0.1';
