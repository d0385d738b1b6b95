/** The program of the threads that read configurations (see ConfigurationReading). */
import { serveOrders } from '#libs/threads';
import { answerTo } from './reading';

serveOrders(answerTo);
