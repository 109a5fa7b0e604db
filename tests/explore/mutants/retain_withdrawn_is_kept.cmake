# A withdrawn async stays in the mailbox (stealtree.M1).
set(FILE src/stealtree/mailbox.c)
set(SCENARIO retain)
set(OLD [==[
    mailbox->last -= found;
]==])
set(NEW [==[
]==])
